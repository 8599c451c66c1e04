load 'style.gp'
load 'tuner.gp'
set title 'Product of matrices (gemm) over the thread block'
cells = block_cells('tuner_sweep', 'gemm', 'share')
published_best = thesis_block('V100', 'gemm')
set cblabel 'speed / best'
thesis = "thesis, V100: best with multiples of 8 in x,\nelse at most 0.6 of it"
@block_map
