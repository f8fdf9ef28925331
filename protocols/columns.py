"""The columns of every table, as plain data: (name, type, what it means).

Types: string, int (64 bits), float (64 bits), bool, time (microseconds, UTC), strings (a list of
strings), messages (a list of role and content). Every column may be null. `SCHEMA_VERSION` changes
with any column.
"""

from __future__ import annotations

SCHEMA_VERSION = 3

Column = tuple[str, str, str]

DESIGN: tuple[Column, ...] = (
    ("run_id", "string", "the run these rows belong to"),
    ("stage", "string", "the stage of the run: debate, judge, label, ..."),
    ("debate_id", "string", "hash of the design cell, the case and the repetition"),
    ("case_id", "string", "the case, as named in the case file"),
    ("protocol", "string", "a key of PROTOCOLS, or of one's own function@hash"),
    ("variant", "string", "the protocol's parameters, canonical JSON; with the protocol it comes after"),
    ("panel", "string", "the models in the seats of the panel, joined by '+'"),
    ("order", "string", "the sequence in which the seats of the panel speak, e.g. '2-1'"),
    ("n_seats", "int", "seats on the panel"),
    ("steering", "string", "the steering of the seats of the panel, joined by '+'"),
    ("answer_format", "string", "text or json"),
    ("labels", "string", "which number each seat of the panel is called by, e.g. '2-1'"),
    ("stance_swap", "bool", "whether the stances of the seats are exchanged"),
    ("listing", "string", "the order in which the answers are listed to everyone"),
    ("display", "string", "the seats in the order in which a judge is shown what they wrote at once"),
    ("planted", "string", "the verdict planted in a confederate's seat"),
    ("repetition", "int", "which play of the design cell, from 1"),
    ("seed", "int", "the debate's seed, 31 bits"),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "cases": (
        ("title", "string", "the case in one line"),
        ("text", "string", "the case as put before the panel"),
        ("options", "strings", "the options of a question"),
        ("openings", "strings", "what each seat opens with: answer and argument, canonical JSON"),
        ("truth", "string", "the right answer, for the analysis alone"),
        ("source", "string", "where the case comes from"),
        ("contestation", "float", "entropy of human verdicts, in bits"),
    ),
    "replies": (
        ("step", "int", "step of the dialogue, from 0"),
        ("slot", "int", "place within the step, from 0"),
        ("kind", "string", "turn, candidate, preference, critique, re-ask, judge or label"),
        ("round", "int", "round of the debate, from 1"),
        ("position", "int", "place in the speaking order, from 1"),
        ("seat", "string", "the seat that was asked"),
        ("model", "string", "the model asked, by its name in the experiment"),
        ("model_answered", "string", "the model that answered, as its backend calls it"),
        ("provider", "string", "who served the reply"),
        ("prompt_hash", "string", "id of the prompt texts in use"),
        ("fingerprint", "string", "hash of the question"),
        ("messages", "messages", "exactly what the seat was shown"),
        ("text", "string", "the reply as received"),
        ("reasoning", "string", "the model's thinking, shown to nobody"),
        ("finish_reason", "string", "stop, length or content_filter"),
        ("prompt_tokens", "int", "tokens of the prompt"),
        ("cached_tokens", "int", "tokens of the prompt found in the prefix cache"),
        ("completion_tokens", "int", "tokens written"),
        ("logprobs", "string", "log-probabilities, JSON"),
        ("sampling", "string", "the sampling parameters, canonical JSON"),
        ("ask_seed", "int", "the seed of this ask, 31 bits"),
        ("seed_sent", "bool", "whether the backend was given the seed"),
        ("seconds", "float", "time the model worked on it"),
        ("wait_seconds", "float", "time before that: queues, limits, retries"),
        ("attempts", "int", "attempts until this reply"),
        ("cost_usd", "float", "price of the call; null where unknown"),
        ("time", "time", "when the reply was complete"),
        ("claim", "string", "the claim on the run under which it was written"),
    ),
    "turns": (
        ("round", "int", "round of the debate, from 1"),
        ("position", "int", "place in the speaking order, from 1"),
        ("seat", "string", "the seat that spoke"),
        ("model", "string", "its model, by its name in the experiment"),
        ("label", "string", "the verdict or answer; null where unreadable"),
        ("status", "string", "ok, repaired, missing, invalid, refusal or truncated"),
        ("explanation", "string", "the turn without its verdict line"),
        ("shown", "string", "what entered later prompts"),
        ("stance", "string", "the answer the seat was to argue for"),
        ("confidence", "float", "stated confidence, 0 to 1"),
        ("stated_action", "string", "retain or adopt, as stated"),
        ("action", "string", "retain or adopt, as the answer shows"),
        ("crux", "string", "what the disagreement hangs on"),
        ("violation", "string", "the rule that the turn broke: outside, left_stance or over_limit"),
        ("opening", "bool", "whether it was said in the debate that this one goes on from"),
    ),
    "debates": (
        ("source_debate", "string", "the debate that this one goes on from, or judges"),
        ("rounds", "int", "rounds played"),
        (
            "outcome",
            "string",
            "consensus or no_consensus; of one seat or a vote: verdict or unreadable; or judgment",
        ),
        (
            "standing",
            "string",
            "agree, disagree, one_right or unreadable; where one seat alone speaks verdict; else judgment",
        ),
        ("consensus_label", "string", "what the panel agreed on, or voted for"),
        ("consensus_round", "int", "the round in which it did"),
        ("final_labels", "strings", "each seat's last label, in panel order; null where unreadable"),
        ("exit_mode", "string", "how a disagreement resolution ended: consensus, swapped or turn_limit"),
        ("calls", "int", "replies in the debate"),
        ("prompt_tokens", "int", "sum over its replies"),
        ("cached_tokens", "int", "sum over its replies"),
        ("completion_tokens", "int", "sum over its replies"),
        ("cost_usd", "float", "sum over its replies; null where one is unknown"),
        ("status", "string", "finished"),
    ),
    "judgments": (
        ("kind", "string", "judge or label"),
        ("judge", "string", "the judging model, or human:NAME"),
        ("pass", "int", "which pass of that judge, from 1"),
        ("source_debate", "string", "the debate judged"),
        ("source_round", "int", "the round judged"),
        ("source_seat", "string", "the seat judged"),
        ("sees", "string", "transcript, positions or nothing; of labels: explanation"),
        ("answers", "string", "option or winner"),
        ("judged_labels", "strings", "the values found, sorted, maybe none; null where unreadable"),
        ("decision", "string", "the option or winner chosen"),
        ("status", "string", "how it was read; of labels also unknown (value) or too_many (values)"),
        ("confidence", "float", "stated confidence, 0 to 1"),
    ),
    "failures": (
        ("error_class", "string", "the class of the error"),
        ("message", "string", "what it said"),
        ("seat", "string", "the seat whose ask failed"),
        ("attempts", "int", "attempts made"),
        ("wait_seconds", "float", "time spent waiting between them"),
        ("time", "time", "when it was given up"),
    ),
}
"""What each table has besides the columns of `DESIGN`, which stand first in every one."""
