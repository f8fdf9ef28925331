"""On one GPU: served engines and engines of ours by turns, each with all of it. Skipped where none is."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from serving.catalogue import TOKENIZERS, prepare
from tests.ray_jobs.moot_runs import check_whole, moot, table, write_study

GPUS = len([*Path("/proc/driver/nvidia/gpus").glob("*")])

pytestmark = [
    pytest.mark.ray,
    pytest.mark.engine,
    pytest.mark.gpu,
    pytest.mark.filterwarnings("default"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(GPUS == 0, reason="needs a GPU; this machine has none"),
]

LLAMA = {"hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22}
HEADS = {"num_attention_heads": 32, "num_key_value_heads": 4}


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama of about a billion random weights, with the tiny model's tokenizer."""
    import torch
    from transformers import AutoConfig, LlamaConfig, LlamaForCausalLM

    tiny, folder = prepare("tiny"), tmp_path_factory.mktemp("llama")
    words = AutoConfig.from_pretrained(tiny).vocab_size
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=words, max_position_embeddings=8192, **LLAMA, **HEADS)
    LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    for name in (*TOKENIZERS, "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"):
        if (tiny / name).is_file():
            shutil.copy(tiny / name, folder / name)
    return folder


def block(llama: Path, backend: str) -> dict[str, Any]:
    engine = {"max_model_len": 4096, "gpu_memory_utilization": 0.8, "max_num_seqs": 64}
    return {"backend": backend, "model": str(llama), "max_tokens": 64, "engine": engine}


def test_the_gpu_is_given_back_by_a_served_model_and_by_an_engine_of_ours(
    tmp_path: Path, llama: Path
) -> None:
    """Each takes four fifths of its memory, so the next starts only where the last has left."""
    for number, backend in enumerate(("serve", "vllm", "serve")):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        models = {"llama": block(llama, backend)}
        design = {"panels": [["llama", "llama"]], "protocols": ["synchronous"], "answer": ["json", "text"]}
        file = write_study(folder, 20, models=models, rounds=2, **design)
        moot("run", file, "--out", folder / "run")
        check_whole(folder / "run", file)
        assert {row["provider"] for row in table(folder / "run", "replies")} == {backend}
