load 'style.gp'
load 'partition.gp'
set multiplot layout 1, 3 margins 0.115, 0.945, 0.32, 0.9 spacing 0.12, 0
set key at screen 0.5, 0.09 center vertical maxrows 2
@linear_seconds_y
set xtics rotate by -35
do for [app in 'matmul stencil nbody'] {
    counts = device_counts('partition_' . app, app)
    most = fetch(sprintf("SELECT max(size) FROM partition_%s_median WHERE app = '%s'", app, app)) + 0
    set xtics 0, app eq 'nbody' && most > 1e5 ? ceil(most / 3e5) * 1e5 : most / 4
    set title app eq 'nbody' ? 'time of nbody per step' : 'total time of ' . app
    set xlabel app eq 'nbody' ? 'particles' : 'width'
    set format x app eq 'nbody' && most > 1e5 ? '%.0s%c' : '%g'
    plot [0:most] [0:*] for [i = 1:words(counts)] metric('partition_' . app, 'size', app eq 'nbody' \
        ? 'time_s / iterations' : 'time_s', on_devices(app, word(counts, i))) \
         with yerrorlines linestyle i title app eq 'matmul' ? devices_title(word(counts, i)) : ''
}
