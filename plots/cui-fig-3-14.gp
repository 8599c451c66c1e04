load 'style.gp'
load 'unified_memory.gp'
@two_panels
set ylabel 'bytes / device memory'
do for [e in 'unified_memory_ladder unified_memory_matmul'] {
    groups = unified_groups(e, 'share_of_capacity', 'rounds > 0', '%.2g')
    @groups_x
    set xtics rotate by 0
    convolution = e eq 'unified_memory_ladder'
    set title (convolution ? 'convolution in 3D, ' : 'matrix product, ') . gprintf('%.1b %BB', \
        real(fetch('SELECT max(capacity_bytes) FROM ' . e)))
    plot [] [0:2.5] q(sprintf('SELECT DISTINCT place, footprint_bytes / capacity_bytes FROM %s', unified_rows(e \
        . '_median', 'share_of_capacity', 'true'))) \
        using 1:2:(0.6) with boxes linestyle 1 title (convolution ? 'size of the data' : ''), 1 linestyle 8 \
        title (convolution ? 'device memory' : '')
    unset ylabel
}
