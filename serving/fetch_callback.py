"""What Ray Serve LLM calls on every node of an engine before it starts. Importing this imports vllm."""

from __future__ import annotations

from ray.llm._internal.common.callbacks.base import CallbackBase

from serving.weights import fetch


class FetchOnce(CallbackBase):
    """Fetches the weights of `model` at `revision` to the node, unless another replica already has."""

    def on_before_download_model_files_distributed(self) -> None:
        """Raises `ModelError` where the model cannot be had."""
        fetch(self.kwargs["model"], self.kwargs["revision"])
