load 'style.gp'
load 'tuner.gp'
set title '2D convolution over the thread block'
cells = block_cells('2dconv', 'share')
published_best = thesis_block('V100', '2dconv')
set cblabel 'speed / best'
thesis = "thesis, V100: faster with more threads in x"
@block_map
