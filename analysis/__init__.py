"""From a run's Parquet tables to estimates, tables and figures."""
