load 'style.gp'
load 'spmv.gp'
set title 'Product of a pde matrix by format: GPU (thesis: hlg first, csr last)'
side = 'gpu'
@format_times
