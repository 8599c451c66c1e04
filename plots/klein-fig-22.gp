load 'style.gp'
load 'partition.gp'
set title 'Five-point stencil: speedup of the launches (thesis: almost linear for large widths)'
set xlabel 'width'
set ylabel 'speedup over the original'
set yrange [0:*]
counts = device_counts('partition_stencil', 'stencil')
speedups_of(v, d) = judged('partition_launch_speedups', 'size', "app = 'stencil' AND variant = '" . v \
    . "' AND devices = " . d)
plot for [i = 2:words(counts)] speedups_of('partitioned', word(counts, i)) with yerrorlines linestyle i \
    title devices_title(word(counts, i)), \
     for [i = 2:words(counts)] speedups_of('by-hand', word(counts, i)) with yerrorlines linestyle 20+i title i == 2 \
     ? 'dashed: written by hand' : ''
