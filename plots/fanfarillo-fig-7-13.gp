load 'style.gp'
load 'hetero.gp'
# By hosts, with the best number of options per request; fanfarillo-fig-7-14 has other versions (a variant and its
# progress).
if (!exists('versions')) {
    versions = "'mpi-mt %' 'caf-mt manual' 'caf-mt thread' 'caf-mt none'"; name = 'Options handed out by MPI and ' \
        . 'by coarrays, by progress'
}
hosts = '(SELECT *, dense_rank() OVER (ORDER BY nodes) AS place FROM coarrays_pricing_hosts)'
bars(version) = pick('place, ' . value_rates, hosts, sprintf("variant = '%s' AND progress LIKE '%s'", word(version, \
    1), \
    word(version, 2)))
line(v, progress) = v eq 'mpi-mt' ? 5 : (v eq 'caf-mth' ? 3 : 1) + int(word('0 1 5', place_in('manual thread none', \
    progress)))
groups = fetch("SELECT iif(nodes = 1, '''one host''', '''' || nodes || ' hosts (TCP)''') FROM " . hosts . \
    ' GROUP BY place')
set title name
@groups_x; @values_y
plot for [v in versions] bars(v) using (bar($1, place_in(versions, v), \
    words(versions))):2:3:4:(bar_width(words(versions))) @measured_bars linestyle line(word(v, 1), word(v, \
    2)) title word(v, 2) eq '%' ? word(v, 1) : word(v, 1) . ', ' . word(v, 2), \
     q('SELECT place - 0.45, 1e-9 * max(most) FROM ' . hosts . ' GROUP BY place') \
         using 1:2:(0.9):(0) with vectors nohead linestyle 8 title 'limit: sum of the devices alone'
