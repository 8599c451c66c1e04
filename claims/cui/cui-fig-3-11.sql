-- 3D convolution: speedup of pipeline over naive by number of streams. The thesis has a Tesla K40m and a Tesla P100; what
-- it says of one of them is judged on this machine.
WITH run AS (
    SELECT variant, streams, time_s AS mid, time_low_s AS low, time_high_s AS high FROM pipeline_streams_median
    WHERE benchmark = 'conv3d' AND size = (SELECT max(size) FROM pipeline_streams_median WHERE benchmark = 'conv3d')
      AND (variant = 'naive' OR chunk_size = (SELECT min(chunk_size) FROM pipeline_streams_median WHERE benchmark = 'conv3d'))),
p AS (SELECT * FROM run WHERE variant = 'pipeline'),
least AS (SELECT min(mid) AS mid, min(low) AS low, min(high) AS high FROM p),
three AS (SELECT * FROM p WHERE streams = 3),
device AS (SELECT count(*) > 0 AS is_p100 FROM machine WHERE name = 'device0_name' AND value LIKE '%P100%')
SELECT 'cui-c-094' AS id,
       printf('mean speedup %.2f', avg(n.mid / p.mid)) AS measured, '1.1..1.3' AS bound,
       CASE WHEN is_p100 THEN avg(n.mid / p.mid) BETWEEN 1.1 AND 1.3 ELSE 'waived' END AS ok,
       iif(is_p100, '', 'a number of the Tesla P100') AS reason
FROM run AS n, p, device WHERE n.variant = 'naive' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-095', printf('fewest within 2 %% of the best: %d', min(CASE WHEN p.mid <= 1.02 * least.mid THEN streams END)), '> 2 (thesis: 8)',
       CASE WHEN min(streams > 2 OR p.low > 1.02 * least.high) THEN 1 WHEN max(streams <= 2 AND p.high <= 1.02 * least.low) THEN 0 END,
       'measured here, not on a Tesla K40m'
FROM p, least HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-096', printf('two / three streams %.3f', p.mid / three.mid), '>= 1 (thesis: 1.18)',
       CASE WHEN p.low >= three.high THEN 1 WHEN p.high < three.low THEN 0 END, 'measured here, not on a Tesla P100'
FROM p, three WHERE p.streams = 2
UNION ALL
SELECT 'cui-c-097', group_concat(printf('%.3f with %d', p.mid / three.mid, p.streams), ', ') || ' of the time with 3 streams', '0.95..1.05',
       CASE WHEN min(p.low / three.high) >= 0.95 AND max(p.high / three.low) <= 1.05 THEN 1
            WHEN min(p.high / three.low) < 0.95 OR max(p.low / three.high) > 1.05 THEN 0 END, 'measured here, not on a Tesla P100'
FROM p, three WHERE p.streams > 3 HAVING count(*) > 0;
