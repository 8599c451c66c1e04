load 'style.gp'
@two_panels
programs = fetch('SELECT DISTINCT program FROM prefetch_servers_median')
of_program(variant, i) = "variant = '" . variant . "' AND program = '" . word(programs, i) . "'"
set xtics 1; set xlabel 'servers'; set ylabel 'time (ms)'
set title 'Run time (dashed: no-prefetch)'
plot [0.5:4.5] [0:*] for [i = 1:words(programs)] metric('prefetch_servers', 'servers', '1e3 * runtime_s', \
    of_program('prefetch', i)) \
         with yerrorlines linestyle i title word(programs, i), \
     for [i = 1:words(programs)] metric('prefetch_servers', 'servers', '1e3 * runtime_s', of_program('no-prefetch', \
     i)) with yerrorlines linestyle i dashtype 2 notitle
unset ylabel
set title 'Time saved, ' . network('prefetch_servers')
plot [0.5:4.5] for [i = 1:words(programs)] q('SELECT servers, 1e3 * (w.time_s - p.time_s), 1e3 * (w.time_low_s - ' \
    . 'p.time_high_s), 1e3 * (w.time_high_s - p.time_low_s)' \
         . ' FROM prefetch_servers_median AS w JOIN (SELECT * FROM prefetch_servers_median WHERE ' \
         . of_program('prefetch', i) \
         . ') AS p USING (program, servers) WHERE w.' . of_program('no-prefetch', i)) with yerrorlines \
         linestyle i notitle
