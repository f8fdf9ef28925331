"""Experiments and model folders for tests."""

import json
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers

from ray_jobs.experiment import Experiment


def study(**keys: object) -> Experiment:
    """An experiment with simulated models a, b and c, unless `keys` say otherwise."""
    given = {
        "name": "study",
        "cases": {"file": "cases.jsonl"},
        "models": {name: {"backend": "simulated"} for name in "abc"},
        **keys,
    }
    return Experiment.thawed(given)


def model_folder(folder: Path, context: int) -> str:
    """A folder in the form of a model with a tokenizer that counts words, and no weights in it."""
    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    template = "{% for message in messages %}{{ message.role }} {{ message.content }} {% endfor %}"
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": context}))
    (folder / "model.safetensors").touch()
    return str(folder)
