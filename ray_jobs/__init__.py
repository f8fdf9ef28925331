"""Plays studies as jobs on Ray: experiment file, plan, actors, log, tables and the moot command."""
