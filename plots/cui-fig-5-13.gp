load 'style.gp'
load 'tuner.gp'
set title 'The kernel that each thread block suits least'
cells = common_cells('tuner_least')
side = 128
threads = 512
set cblabel 'its speed / best'
thesis = sprintf('thesis, V100: less than %g with every block', thesis('cui-c-238', 1))
@block_map
