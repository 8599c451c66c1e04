load 'style.gp'
load 'tuner.gp'
set title 'Blocks of 64, 128 and 256 threads'
experiment = 'tuner_sweep'
@expert_blocks
