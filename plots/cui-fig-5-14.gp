load 'style.gp'
load 'tuner.gp'
set title 'The kernel that each thread block suits least, ' . partner_fact('device0_name')
experiment = 'partner_tuner_sweep'
@second_node
cells = common_cells('partner_tuner_least')
side = 128
threads = 512
set cblabel 'its speed / best'
thesis = sprintf('thesis, P100: less than %g with every block', thesis('cui-c-239', 1))
@block_map
