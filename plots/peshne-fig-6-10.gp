load 'style.gp'
@two_panels
programs = fetch('SELECT DISTINCT program FROM prefetch_servers_median')
times(columns, i) = pick('servers, ' . columns, 'prefetch_programs', "program = '" . word(programs, i) . "'")
set xtics 1; set xlabel 'servers'; set ylabel 'time (ms)'
set title 'Run time (dashed: no-prefetch)'
plot [0.5:4.5] [0:*] for [i = 1:words(programs)] times('1e3 * p, 1e3 * p_low, 1e3 * p_high', i) with yerrorlines \
         linestyle i title word(programs, i), \
     for [i = 1:words(programs)] times('1e3 * w, 1e3 * w_low, 1e3 * w_high', i) with yerrorlines \
         linestyle i dashtype 2 notitle
unset ylabel
set title 'Time saved, ' . network('prefetch_servers')
plot [0.5:4.5] for [i = 1:words(programs)] times('1e3 * (w - p), 1e3 * (w_low - p_high), 1e3 * (w_high - p_low)', i) \
         with yerrorlines linestyle i notitle
