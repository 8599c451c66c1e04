load 'style.gp'
load 'tuner.gp'
set title 'Blocks of 64, 128 and 256 threads, ' . partner_fact('device0_name')
experiment = 'partner_tuner_sweep'
@second_node
@expert_blocks
