load 'style.gp'
load 'tuner.gp'
set title '27-point stencil over the thread block'
cells = block_cells('epcc', 'share')
published_best = thesis_block('V100', 'epcc')
set cblabel 'speed / best'
thesis = "thesis, V100: faster with more threads in y"
@block_map
