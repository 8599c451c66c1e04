-- Puts on one node, one alone (single) and each of two at once (multi): element stands for the thesis's Intel, libcaf-mpi for its GFortran.
WITH put AS (
    SELECT 'single' AS partners, elements AS n, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_put_median
    UNION ALL SELECT 'multi', elements, variant, time_s, time_low_s, time_high_s FROM coarrays_put_multi_median),
pair AS (
    SELECT partners, n, b.mid / e.mid AS mid, b.low / e.high AS low, b.high / e.low AS high
    FROM put AS e JOIN put AS b USING (partners, n) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'),
-- The largest block at which element is faster: for certain, by the medians, and at the most.
crossing AS (
    SELECT partners, coalesce(max(n) FILTER (WHERE low > 1), 0) AS low, coalesce(max(n) FILTER (WHERE mid > 1), 0) AS mid,
           coalesce(max(n) FILTER (WHERE high > 1), 0) AS high
    FROM pair GROUP BY partners),
kept AS (
    SELECT variant, median(one.mid / two.mid) AS mid, median(one.low / two.high) AS low, median(one.high / two.low) AS high
    FROM put AS one JOIN put AS two USING (variant, n) WHERE one.partners = 'single' AND two.partners = 'multi' GROUP BY variant),
others AS (SELECT group_concat(printf('%s %.2f', variant, mid), ', ') AS text FROM kept WHERE variant IN ('datamotion', 'opencoarrays')),
judged AS (
    SELECT 'fanfarillo-c-104' AS id,
           printf('element / libcaf-mpi %.2f to %.2f up to 8 doubles, %.3f to %.2f above; element is faster %s', min(pair.mid) FILTER (WHERE n <= 8),
                  max(pair.mid) FILTER (WHERE n <= 8), min(pair.mid) FILTER (WHERE n > 8), max(pair.mid) FILTER (WHERE n > 8),
                  coalesce('up to ' || nullif(crossing.mid, 0) || ' doubles', 'at no size')) AS measured,
           '> 1 up to 8 doubles, < 1 above' AS bound,
           CASE WHEN min(pair.low) FILTER (WHERE n <= 8) > 1 AND max(pair.high) FILTER (WHERE n > 8) < 1 THEN 1
                WHEN min(pair.high) FILTER (WHERE n <= 8) <= 1 OR max(pair.low) FILTER (WHERE n > 8) >= 1 THEN 0 END AS ok,
           'element has as many messages as the thesis''s Intel, not their cost' AS cause
    FROM pair JOIN crossing USING (partners) WHERE partners = 'multi' HAVING max(n) > 8 AND min(n) <= 8
    UNION ALL
    SELECT 'fanfarillo-c-105',
           printf('largest block at which element is faster: %d doubles alone (%d to %d by the intervals), %d of two at once (%d to %d)',
                  one.mid, one.low, one.high, two.mid, two.low, two.high), 'further up of two at once',
           CASE WHEN two.low > one.high THEN 1 WHEN two.high <= one.high AND two.low <= one.low THEN 0 END, '0: at no size'
    FROM crossing AS one, crossing AS two WHERE one.partners = 'single' AND two.partners = 'multi'
    UNION ALL
    SELECT 'fanfarillo-c-108',
           printf('of its bandwidth alone, element keeps %.2f of two at once, libcaf-mpi %.2f (%s), medians over the sizes', e.mid, b.mid,
                  coalesce(text, 'no others')), 'element more',
           CASE WHEN e.low > b.high THEN 1 WHEN e.high <= b.low THEN 0 END, ''
    FROM kept AS e, kept AS b, others WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi')
SELECT id, measured, bound, ok, CASE ok WHEN 1 THEN '' ELSE cause END AS reason FROM judged;
