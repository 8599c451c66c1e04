-- Time of a put between two nodes, element by element, at 512 doubles or the largest block up to that.
WITH put AS (SELECT elements AS n, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_put_nodes_median
    WHERE elements <= 512),
large AS (
    SELECT e.n, e.mid AS e, e.low AS e_low, e.high AS e_high, b.mid AS b, e.mid / b.mid AS mid, e.low / b.high AS low, e.high / b.low AS high
    FROM put AS e JOIN put AS b USING (n) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi' ORDER BY n DESC LIMIT 1),
others AS (
    SELECT group_concat(printf('%s %.3g s', variant, put.mid), ', ') AS text FROM put JOIN large USING (n) WHERE variant IN ('datamotion',
           'opencoarrays')),
judged AS (
    SELECT 'fanfarillo-c-112' AS id,
           printf('element / libcaf-mpi %.1f at %d doubles (element %.3g s, libcaf-mpi %.3g s, %s)', large.mid, n, e, b, coalesce(text,
               'no others')) AS measured,
           '>= 10 (thesis: 428 s)' AS bound, CASE WHEN low >= 10 THEN 1 WHEN high < 10 THEN 0 END AS ok, '' AS cause
    FROM large, others
    UNION ALL
    SELECT 'fanfarillo-c-113', printf('%.1f times (%.3g s for 1 double, %.3g s for %d)', e / one.mid, one.mid, e, large.n),
           printf('%d..%d, half to twice the elements', large.n / 2, 2 * large.n),
           CASE WHEN e_low / one.high >= large.n / 2 AND e_high / one.low <= 2 * large.n THEN 1
                WHEN e_high / one.low < large.n / 2 OR e_low / one.high > 2 * large.n THEN 0 END,
           'a message costs less among many than alone'
    FROM large, put AS one WHERE one.n = 1 AND one.variant = 'element' AND large.n > 1)
SELECT id, measured, bound, ok, CASE ok WHEN 1 THEN '' ELSE cause END AS reason FROM judged;
