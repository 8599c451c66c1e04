load 'style.gp'
load 'partition.gp'
@two_panels
sizes = fetch("SELECT DISTINCT size FROM partition_matmul_median WHERE app = 'matmul' ORDER BY size DESC LIMIT 6")
of_size(column, share, size) = gains('partition_matmul', 'matmul', column, 'p.devices', share, \
    "p.variant = 'partitioned' AND size = " . size)
set xlabel 'devices'
set title 'Multiplication: speedup'
plot [0:*] [0:*] x linestyle 8 title 'limit: devices', published_point(16, 14.9) with points linestyle 11 \
    title 'thesis: 14.9', \
     for [i = 1:words(sizes)] of_size('time_s', '1.0', word(sizes, i)) with yerrorlines linestyle i title 'width ' \
     . word(sizes, i)
set title sprintf('efficiency of the launches (thesis: %g)', thesis('klein-c-007', 1))
plot [0:*] [0:1.1] 1 linestyle 8 title '', thesis('klein-c-007', 1) linestyle 11 pointtype 0 title '', \
     for [i = 1:words(sizes)] of_size('app_kernel_s', '1.0 / p.devices', word(sizes, i)) with yerrorlines \
     linestyle i title ''
