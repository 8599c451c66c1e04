load 'style.gp'
load 'tuner.gp'
set title 'The kernel that each thread block suits least, ' . partner_fact('device0_name')
experiment = 'partner_tuner_sweep'
@second_node
cells = common_cells(experiment)
side = 128
threads = 512
set cblabel 'its speed / best'
thesis = "thesis, P100: less than 0.3 with every block"
@block_map
