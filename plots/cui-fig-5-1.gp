load 'style.gp'
load 'tuner.gp'
set title 'Lid-driven cavity over the thread block'
cells = block_cells('ldc', 'rate_gflops')
published_best = thesis_block('V100', 'ldc')
threads = 512
set cblabel 'GFLOP/s'
best = thesis('cui-c-219', 3)
thesis = sprintf("thesis, V100: best %.0f GFLOP/s, about %g threads;\n%g x %g, the compiler's choice: %.2f of it", \
    best, thesis('cui-c-221', 1), stated('cui-c-220', 1), stated('cui-c-220', 2), thesis('cui-c-220', 1))
@block_map
