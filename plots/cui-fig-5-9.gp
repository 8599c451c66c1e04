load 'style.gp'
load 'tuner.gp'
set title 'Two products of matrices (2mm) over the thread block'
cells = block_cells('2mm', 'share')
published_best = thesis_block('P100', '2mm')
set cblabel 'speed / best'
thesis = sprintf("thesis, P100: best with multiples of %g in x,\nelse at most %g of it", thesis('cui-c-229', 1), \
    thesis('cui-c-231', 1))
@block_map
