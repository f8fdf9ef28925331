"""What a study would find out before it is played: precision, bias and power by its size, by simulation."""
