load 'style.gp'
set title 'An array that is read or written once: way to the device and back'
variants = 'first-touch prefetch prefetch-batch discard-prefetch accessed-by explicit'
cases = '(SELECT *, dense_rank() OVER (ORDER BY pattern, bytes) AS place FROM unified_memory_sizes)'
groups = fetch("SELECT DISTINCT '''' || pattern || char(10) || iif(bytes >> 30, (bytes >> 30) || ' GiB', " \
    . "(bytes >> 20) || ' MiB') || '''' FROM " . cases \
    . ' ORDER BY place')
@points_x
@rates_y
set key maxrows 2
set ylabel 'size of the array / time'
plot for [i = 1:words(variants)] pick('place, bytes / mid, bytes / high, bytes / low', cases, "variant = '" \
    . word(variants, i) . "'") using (bar($1, i, words(variants))):2:3:4 @measured_points linestyle i pointsize 1.1 \
    title word(variants, i)
