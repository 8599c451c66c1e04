-- Block operations on the host and on the GPU, with copies and without.
WITH host_of AS (
    SELECT operation, segment, time_s, time_low_s AS low, time_high_s AS high FROM prefetch_device_median WHERE variant = 'host'),
gap AS ( -- what the contraction takes longer on the host than on the GPU
    SELECT segment, h.time_s - g.time_s AS mid, h.time_s / g.time_s AS ratio, h.low / g.time_high_s AS ratio_low,
           h.high / g.time_low_s AS ratio_high,
           row_number() OVER (ORDER BY segment DESC) AS from_end, count(*) OVER () AS sizes
    FROM host_of AS h JOIN prefetch_device_median AS g USING (operation, segment)
    WHERE g.variant = 'gpu' AND operation = 'contract'),
upper AS (
    SELECT *, mid > coalesce(lag(mid) OVER (ORDER BY segment), -1e9) AS grows FROM gap WHERE 2 * from_end <= sizes + 1),
doubled AS (
    SELECT long.segment AS segment, short.mid AS short_mid, long.mid AS long_mid
    FROM gap AS long JOIN gap AS short ON long.segment = 2 * short.segment ORDER BY long.segment DESC LIMIT 1),
total AS ( -- with copies / host
    SELECT operation, segment, g.time_s / h.time_s AS mid, g.time_low_s / h.high AS low, g.time_high_s / h.low AS high
    FROM host_of AS h JOIN prefetch_device_median AS g USING (operation, segment) WHERE g.variant = 'gpu-transfers'),
ends AS (
    SELECT operation, small.segment AS least, small.mid AS small_mid, small.low AS small_low, small.high AS small_high,
           large.segment AS most, large.mid AS large_mid, large.low AS large_low, large.high AS large_high
    FROM total AS small JOIN total AS large USING (operation)
    WHERE small.segment = (SELECT min(segment) FROM total) AND large.segment = (SELECT max(segment) FROM total)),
share AS ( -- copies / kernel
    SELECT operation, segment, median((h2d_s + d2h_s) / kernel_s) AS mid, interval_low((h2d_s + d2h_s) / kernel_s) AS low,
           interval_high((h2d_s + d2h_s) / kernel_s) AS high
    FROM prefetch_device WHERE variant = 'gpu-transfers' AND status = 'pass'
        AND (operation = 'scale' OR segment = (SELECT min(segment) FROM prefetch_device))
    GROUP BY operation, segment),
why AS (
    SELECT CASE WHEN EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'soft')
                THEN 'the software GPU is this machine''s CPU, with the cost of imitating threads' ELSE '' END AS soft)
SELECT 'peshne-c-002' AS id,
       printf('contract: host - GPU %.3g s at segments of %d, %.3g s at %d; %s over the upper half of sizes', short_mid, segment / 2,
              long_mid, segment, CASE WHEN (SELECT min(grows) FROM upper) THEN 'growing' ELSE 'not growing' END) AS measured,
       'positive, growing over the upper half of sizes, at least twice as large at twice the segment' AS bound,
       short_mid > 0 AND long_mid >= 2 * short_mid AND (SELECT min(grows) FROM upper) AS ok,
       CASE WHEN short_mid > 0 AND long_mid >= 2 * short_mid THEN '' ELSE (SELECT soft FROM why) END AS reason
FROM doubled
UNION ALL
SELECT * FROM (
    SELECT 'peshne-c-003', printf('contract: GPU with copies / host %.2f at segments of %d, %.2f at %d', small_mid, least, large_mid, most),
           '> 1 at the smallest size, < 1 at the largest',
           CASE WHEN small_low > 1 AND large_high < 1 THEN 1 WHEN small_high < 1 OR large_low > 1 THEN 0 END,
           CASE WHEN large_mid < 1 THEN '' ELSE (SELECT soft FROM why) END
    FROM ends WHERE operation = 'contract')
UNION ALL
SELECT * FROM (
    SELECT 'peshne-c-004', printf('matmul: GPU with copies / host %.2f at blocks of %d elements (segments of %d: %s)', small_mid,
                                  least * least, least, (SELECT group_concat(printf('%s %.2f', operation, small_mid), ', ') FROM ends)),
           '>= 1 at the smallest block', CASE WHEN small_low >= 1 THEN 1 WHEN small_high < 1 THEN 0 END, ''
    FROM ends WHERE operation = 'matmul')
UNION ALL
SELECT 'peshne-c-005',
       printf('copies / kernel: %s', group_concat(printf('%s %.2f at %d', operation, mid, segment), ', ')),
       '>= 1 for all operations at the smallest size, for scale at every size',
       CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END,
       CASE WHEN min(mid) >= 1 THEN '' ELSE (SELECT soft FROM why) END
FROM share HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-103', printf('contract: host / GPU %.2f at segments of %d', ratio, segment), '> 1 at the largest size',
       CASE WHEN ratio_low > 1 THEN 1 WHEN ratio_high < 1 THEN 0 END,
       CASE WHEN ratio > 1 THEN '' ELSE (SELECT soft FROM why) END
FROM gap WHERE from_end = 1;
