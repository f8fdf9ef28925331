"""Ways to play the workload: `python -m benchmarks.clients.NAME URL DEBATES FILE`, each as a user would."""
