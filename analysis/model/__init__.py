"""Inertia and conformity: the multinomial model of verdicts (Eq. 2 of the paper on interaction protocols).

A verdict of debate b on case d, by the seat s of model m in round r, is v with a probability proportional to

    exp(theta[m, v] + phi[d, v] + alpha[m] own(v) + gamma_prev[m] prev(v) + gamma_within[m] within(v)),

where own(v) is whether v was the seat's own verdict of the round before, prev(v) how often others gave v
before this round, and within(v) how often v was given by those who spoke earlier in it. What exactly is
counted is a `Convention`; how the parameters are found is an estimator, a key of `ESTIMATORS`.
"""
