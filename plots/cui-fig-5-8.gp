load 'style.gp'
load 'tuner.gp'
set title 'Sum of products of matrices and a vector (gesummv) over the thread block'
cells = block_cells('gesummv', 'share')
published_best = thesis_block('V100', 'gesummv')
set cblabel 'speed / best'
thesis = "thesis, V100: best in the lower left corner"
@block_map
