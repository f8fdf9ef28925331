"""Answers an Ask: engines, Ray Serve applications, remote clients, simulated and scripted agents.

A model is declared by a block (`blocks`), opened as a `Backend` (`opening`, `backend`), and fails by the
errors of `errors`. Nothing here knows of debates. Importing `blocks`, `catalogue`, `context` or
`simulated` loads neither torch nor vllm nor the client of a remote API.

Not verified on a GPU: development machines had none. There, `vllm_engine` hands vLLM its own defaults
and `tensor_parallel`; the tests marked `gpu` are to be run before a study relies on it.
"""
