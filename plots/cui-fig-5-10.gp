load 'style.gp'
load 'tuner.gp'
set title 'Product of matrices (gemm) over the thread block'
cells = block_cells('gemm', 'share')
published_best = thesis_block('V100', 'gemm')
set cblabel 'speed / best'
thesis = sprintf("thesis, V100: best with multiples of %g in x,\nelse at most %g of it", thesis('cui-c-230', 1), \
    thesis('cui-c-231', 1))
@block_map
