load 'style.gp'
load 'partition.gp'
@two_panels
sizes = fetch("SELECT DISTINCT size FROM partition_matmul_median WHERE app = 'matmul' ORDER BY size DESC LIMIT 6")
of_size(values, view, size) = pick('devices, ' . values, view, "app = 'matmul' AND size = " . size)
set xlabel 'devices'
best = thesis('klein-c-001', 1)
set title 'Multiplication: speedup'
plot [0:*] [0:*] x linestyle 8 title 'limit: devices', published_point(stated('klein-c-001', 1), best) with points \
    linestyle 11 \
    title sprintf('thesis: %g', best), \
     for [i = 1:words(sizes)] of_size('mid, low, high', \
     '(SELECT * FROM partition_speedups WHERE NOT published_mode)', word(sizes, i)) with yerrorlines linestyle i \
     title 'width ' \
     . word(sizes, i)
linear = thesis('klein-c-007', 1)
set title sprintf('efficiency of the launches (thesis: %g)', linear)
plot [0:*] [0:1.1] 1 linestyle 8 title '', linear linestyle 11 pointtype 0 title '', \
     for [i = 1:words(sizes)] of_size('mid / devices, low / devices, high / devices', \
     "(SELECT * FROM partition_launch_speedups WHERE variant = 'partitioned')", word(sizes, i)) with yerrorlines \
     linestyle i title ''
