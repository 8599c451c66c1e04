load 'style.gp'
load 'partition.gp'
# Blocks in x/blocks in y/devices/rule; klein-fig-7 has others.
if (!exists('panels')) {
    panels = '16/16/16/even 20/10/16/even 16/16/16/thesis 20/10/16/thesis'; columns = 2
    set multiplot layout 2, 2 margins 0.1, 0.97, 0.12, 0.9 spacing 0.06, 0.15
} else { set multiplot layout 2, 5 title name margins 0.08, 0.98, 0.12, 0.86 spacing 0.035, 0.14 }
field(i) = system(sprintf('echo %s | cut -d / -f %d', panel, i))
do for [i = 1:words(panels)] {
    panel = word(panels, i); wide = int(field(1)); high = int(field(2)); devices = field(3); rule = field(4)
    here = sprintf("grid_x = %d AND grid_y = %d AND grid_z = 1 AND devices = %s AND dims = 'xy' AND rule = '%s'", \
        wide, high, devices, rule)
    set title (columns > 2 ? '' : sprintf('%d x %d blocks, ', wide, high)) . devices . ' devices'
    set ylabel i % columns != 1 ? '' : rule eq 'even' ? 'shortest borders' : 'the thesis''s rule'
    cut = number('SELECT coalesce(max(part), -2) + 1 FROM partition_grids_median WHERE ' . here); unset label 1
    if (cut < 1) { set label 1 cut ? 'no data' : 'refused' at graph 0.5, 0.5 center textcolor linestyle 11 }
    set xtics wide / 4 scale 0; set ytics high / 4 scale 0; set format y columns < 3 || i % columns == 1 ? '%g' : ''
    plot [0:wide] [high:0] part_boxes(here) @device_boxes, block_lines(wide, high) @grid_lines, \
         grid_parts('x + size_x / 2.0, y + size_y / 2.0', here) @cell_texts; unset label 999
}
