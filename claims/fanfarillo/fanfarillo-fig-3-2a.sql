-- Formats on the CPU, pde matrices. The thesis has three; it names csr, the others are taken as ell and hll.
WITH run AS (
    SELECT rows, replace(variant, '-cpu', '') AS format, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM spmv_formats_median WHERE precision = 'double' AND variant LIKE '%-cpu' AND variant NOT IN ('copy-cpu', 'triad-cpu', 'gemm-cpu')),
csr AS (SELECT * FROM run WHERE format = 'csr'),
other AS (SELECT rows, min(mid) AS mid, min(low) AS low, min(high) AS high FROM run WHERE format IN ('ell', 'hll') GROUP BY rows),
first AS (SELECT rows, format, min(mid) FROM run GROUP BY rows),
all_formats AS (SELECT group_concat(format || ' at ' || sizes, ', ') AS text FROM (SELECT format, count(*) AS sizes FROM first GROUP BY format ORDER BY sizes DESC))
SELECT 'fanfarillo-c-044' AS id, printf('csr first at %d of %d sizes (of all formats: %s)', sum(csr.mid <= other.mid), count(*), text) AS measured,
       'not slower than ell and hll at most sizes' AS bound,
       CASE WHEN 2 * sum(csr.high <= other.low) > count(*) THEN 1 WHEN 2 * sum(csr.low > other.high) >= count(*) THEN 0 END AS ok, '' AS reason
FROM csr JOIN other USING (rows), all_formats HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-047',
       printf('hll slower at %d of %d sizes, hll / csr %.2f to %.2f', sum(hll.mid > csr.mid), count(*), min(hll.mid / csr.mid), max(hll.mid / csr.mid)),
       'hll slower than csr at most sizes',
       CASE WHEN 2 * sum(hll.low > csr.high) > count(*) THEN 1 WHEN 2 * sum(hll.high <= csr.low) >= count(*) THEN 0 END, ''
FROM csr JOIN run AS hll USING (rows) WHERE hll.format = 'hll' HAVING count(*) > 0;
