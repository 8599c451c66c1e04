load 'style.gp'
load 'tuner.gp'
set title 'Lid-driven cavity over the thread block'
cells = block_cells('tuner_sweep', 'ldc', 'rate_gflops')
published_best = thesis_block('V100', 'ldc')
threads = 512
set cblabel 'GFLOP/s'
thesis = "thesis, V100: best 893 GFLOP/s, with about 128 threads;\n64 x 4, the compiler's choice: 598 GFLOP/s"
@block_map
