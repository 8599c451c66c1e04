load 'style.gp'
load 'tuner.gp'
set title 'Two products of a matrix and a vector (mvt) over the thread block'
cells = block_cells('mvt', 'share')
published_best = thesis_block('P100', 'mvt')
set cblabel 'speed / best'
thesis = "thesis, P100: faster with few threads in y"
@block_map
