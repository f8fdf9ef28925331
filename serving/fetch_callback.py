"""What Ray Serve LLM calls on every node of an engine before it starts. Importing this imports vllm."""

from __future__ import annotations

from ray.llm._internal.common.callbacks.base import CallbackBase

from serving.weights import fetch


class FetchOnce(CallbackBase):  # type: ignore[misc]
    """Fetches the model's weights to the node, unless another replica already has."""

    def on_before_download_model_files_distributed(self) -> None:
        """Raises `ModelError` where the model cannot be had."""
        config = self.llm_config
        fetch(config.model_loading_config.model_source, config.engine_kwargs.get("revision"))
