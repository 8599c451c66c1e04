load 'style.gp'
load 'spmv.gp'
set title 'Product of a pde matrix by format: CPU (thesis: csr first, hll behind)'
side = 'cpu'
@format_times
