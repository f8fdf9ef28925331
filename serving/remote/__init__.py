"""Models behind OpenAI-compatible APIs.

An ask becomes a request body (`request`), which a transport exchanges for an answer (`lean`, `official`);
the answer is a reply (`response`) or an error (`failures`). `backend` puts them together with the model's
limits and retries.
"""
