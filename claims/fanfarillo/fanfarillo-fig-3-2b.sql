-- Formats on the GPU, pde matrices. The thesis has four; it names csr and hlg, the others are taken as elg and hyb.
WITH run AS (
    SELECT rows, replace(variant, '-gpu', '') AS format, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM spmv_formats_median WHERE precision = 'double' AND variant LIKE '%-gpu' AND variant NOT IN ('copy-gpu', 'gemm-gpu')),
four AS (SELECT * FROM run WHERE format IN ('csr', 'hlg', 'elg', 'hyb')),
first AS (SELECT rows, format, min(mid) FROM run GROUP BY rows),
all_formats AS (SELECT group_concat(format || ' at ' || sizes, ', ') AS text FROM (SELECT format, count(*) AS sizes FROM first GROUP BY format ORDER BY sizes DESC)),
versus AS ( -- a format against the slowest and the fastest of the other three
    SELECT a.rows, a.format, a.mid, a.low, a.high, max(b.mid) AS last, max(b.low) AS last_low, max(b.high) AS last_high, min(b.mid) AS first, min(b.low) AS first_low,
           min(b.high) AS first_high
    FROM four AS a JOIN four AS b USING (rows) WHERE b.format <> a.format GROUP BY a.rows, a.format)
SELECT 'fanfarillo-c-045' AS id,
       printf('csr last at %d of %d sizes, %.2f to %.2f times the slowest other', sum(mid >= last), count(*), min(mid / last), max(mid / last)) AS measured,
       'not faster than elg, hlg and hyb at most sizes' AS bound,
       CASE WHEN 2 * sum(low >= last_high) > count(*) THEN 1 WHEN 2 * sum(high < last_low) >= count(*) THEN 0 END AS ok, 'the csr of this suite, not that of cuSPARSE 4.1' AS reason
FROM versus WHERE format = 'csr' HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-046',
       printf('hlg first at %d of %d sizes (of all own formats: %s)', sum(mid <= first), count(*), text), 'not slower than csr, elg and hyb at most sizes',
       CASE WHEN 2 * sum(high <= first_low) > count(*) THEN 1 WHEN 2 * sum(low > first_high) >= count(*) THEN 0 END, ''
FROM versus, all_formats WHERE format = 'hlg' HAVING count(*) > 0;
