-- Time of a put of up to 512 doubles on one node: element (e) stands for the thesis's Intel, libcaf-mpi (b) for its GFortran.
WITH put AS (SELECT elements AS n, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_put_median WHERE elements <= 512),
pair AS (
    SELECT n, e.mid / b.mid AS mid, e.low / b.high AS low, e.high / b.low AS high, e.mid AS e, b.mid AS b
    FROM put AS e JOIN put AS b USING (n) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'),
line AS (SELECT line_slope(ln(n), ln(e)) AS slope, line_r2(ln(n), ln(e)) AS r2 FROM pair WHERE n > 4),
last AS (SELECT * FROM put WHERE variant = 'libcaf-mpi' ORDER BY n DESC LIMIT 1),
others AS (SELECT group_concat(printf('%s %.0f ns', variant, 1e9 * mid), ', ') AS text FROM put WHERE n = 4 AND variant IN ('datamotion',
    'opencoarrays')),
judged AS (
    SELECT 'fanfarillo-c-098' AS id,
           printf('element / libcaf-mpi %.2f to %.2f up to 4 doubles, %.2f to %.1f above; not slower: %s (at 4: element %.0f ns, libcaf-mpi %.0f ns, %s)',
                  min(mid) FILTER (WHERE n <= 4), max(mid) FILTER (WHERE n <= 4), min(mid) FILTER (WHERE n > 4), max(mid) FILTER (WHERE n > 4),
                  coalesce('up to ' || max(n) FILTER (WHERE mid <= 1) || ' doubles', 'at no size'), 1e9 * max(e) FILTER (WHERE n = 4),
                      1e9 * max(b) FILTER (WHERE n = 4),
                  coalesce(others.text, 'no others')) AS measured,
           '<= 1 up to 4 doubles, > 1 above' AS bound,
           CASE WHEN max(high) FILTER (WHERE n <= 4) <= 1 AND min(low) FILTER (WHERE n > 4) > 1 THEN 1
                WHEN max(low) FILTER (WHERE n <= 4) > 1 OR min(high) FILTER (WHERE n > 4) <= 1 THEN 0 END AS ok,
           'element has as many messages as the thesis''s Intel, not their cost' AS cause
    FROM pair, others HAVING max(n) > 4 AND min(n) <= 4
    UNION ALL
    SELECT 'fanfarillo-c-099', printf('slope %.2f, R2 %.3f in logarithms, from %d to %d doubles', slope, r2, min(n), max(n)),
           'slope 0.8..1.2, R2 >= 0.95',
           slope BETWEEN 0.8 AND 1.2 AND r2 >= 0.95, ''
    FROM line, pair WHERE n > 4 HAVING count(*) > 2
    UNION ALL
    SELECT 'fanfarillo-c-100', printf('%.2f times (%.0f ns at 4 doubles, %.0f ns at %d)', last.mid / four.mid, 1e9 * four.mid,
           1e9 * last.mid, last.n), '<= 1.5',
           CASE WHEN last.high / four.low <= 1.5 THEN 1 WHEN last.low / four.high > 1.5 THEN 0 END, ''
    FROM last, put AS four WHERE four.n = 4 AND four.variant = 'libcaf-mpi' AND last.n > 4)
SELECT id, measured, bound, ok, CASE ok WHEN 1 THEN '' ELSE cause END AS reason FROM judged;
