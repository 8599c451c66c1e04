load 'style.gp'
load 'hetero.gp'
# By hosts, with the best number of options per request; fanfarillo-fig-7-14 has other versions (a variant and its
# progress).
if (!exists('versions')) {
    versions = "'mpi-mt %' 'caf-mt manual' 'caf-mt thread' 'caf-mt none'"; name = 'Options handed out by MPI and ' \
        . 'by coarrays, by progress'
}
all = runs('coarrays_pricing') # without the long run, in which nobody waits at the end
all = '(SELECT * FROM ' . all . ' WHERE options = (SELECT min(options) FROM ' . all . '))'
bars(version) = pick('place, 1e-9 * max(throughput_values), 1e-9 * throughput_values * time_s / time_high_s, 1e-9 * ' \
    . 'throughput_values * time_s / time_low_s', '(SELECT *, dense_rank() OVER (ORDER BY nodes) AS place FROM ' . all \
    . ')', sprintf("variant = '%s' AND progress LIKE '%s' GROUP BY place", word(version, 1), word(version, 2)))
line(v, progress) = v eq 'mpi-mt' ? 5 : (v eq 'caf-mth' ? 3 : 1) + int(word('0 1 5', place_in('manual thread none', \
    progress)))
groups = fetch("SELECT DISTINCT iif(nodes = 1, '''one host''', '''' || nodes || ' hosts (TCP)''') FROM " . all \
    . ' ORDER BY nodes')
set title name
@groups_x; @values_y
plot for [v in versions] bars(v) using (bar($1, place_in(versions, v), \
    words(versions))):2:3:4:(bar_width(words(versions))) @measured_bars linestyle line(word(v, 1), word(v, \
    2)) title word(v, 2) eq '%' ? word(v, 1) : word(v, 1) . ', ' . word(v, 2), \
     q('SELECT dense_rank() OVER (ORDER BY nodes) - 0.45, 1e-9 * max(maximum_values) FROM ' . all . ' GROUP BY nodes') \
         using 1:2:(0.9):(0) with vectors nohead linestyle 8 title 'limit: sum of the devices alone'
