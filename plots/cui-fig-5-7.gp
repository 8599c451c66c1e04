load 'style.gp'
load 'tuner.gp'
set title 'Symmetric rank-2k update (syr2k) over the thread block'
cells = block_cells('syr2k', 'share')
published_best = thesis_block('V100', 'syr2k')
set cblabel 'speed / best'
side = 128
thesis = sprintf('thesis, V100: best with %g threads in x', thesis('cui-c-227', 1))
@block_map
