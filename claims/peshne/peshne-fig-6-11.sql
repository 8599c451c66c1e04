-- What three programs wait for without prefetching, over all numbers of servers, and what prefetching gains. The
-- program that the thesis names is scf_rhf; scf_like stands in its place, and the other two for its other programs.
WITH share AS (
    SELECT program, servers, median(barrier_wait_s / wait_s) AS mid, interval_low(barrier_wait_s / wait_s) AS low,
           interval_high(barrier_wait_s / wait_s) AS high
    FROM prefetch_servers WHERE status = 'pass' AND variant = 'no-prefetch' GROUP BY program, servers),
most AS (
    SELECT program, servers, 1 - p.time_s / w.time_s AS gain, 1 - p.time_high_s / w.time_low_s AS gain_low,
           1 - p.time_low_s / w.time_high_s AS gain_high, w.block_wait_s / w.runtime_s AS block_share
    FROM prefetch_servers_median AS p JOIN prefetch_servers_median AS w USING (program, servers)
    WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' AND servers = (SELECT max(servers) FROM prefetch_servers)),
ranked AS (SELECT *, rank() OVER (ORDER BY gain DESC) AS by_gain, rank() OVER (ORDER BY block_share DESC) AS by_share FROM most),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_servers),
judged AS (
    SELECT 'peshne-c-050' AS id, printf('scf_like: %.2f to %.2f of the wait is at barriers', min(mid), max(mid)) AS measured, '>= 0.5' AS bound,
           'waived' AS ok, '; scf_like was written to wait at barriers; scf_rhf of the ACES4 repository is not run here' AS cause
    FROM share WHERE program = 'scf_like' HAVING count(*) > 0
    UNION ALL
    SELECT 'peshne-c-051', (SELECT group_concat(text, '; ') FROM (SELECT printf('%s: %.2f to %.2f at barriers', program, min(mid), max(mid)) AS text
                                                                 FROM share WHERE program <> 'scf_like' GROUP BY program)),
           '<= 0.5 each', CASE WHEN max(high) <= 0.5 THEN 1 WHEN max(low) > 0.5 THEN 0 END, ''
    FROM share WHERE program <> 'scf_like' HAVING count(DISTINCT program) = 2
    UNION ALL
    SELECT 'peshne-c-052',
           printf('with %d servers: ', max(servers))
               || group_concat(printf('%s gains %.1f %% and waits %.1f %% for blocks', program, 100 * gain, 100 * block_share), '; '),
           'same order by gain and by wait for blocks',
           CASE WHEN sum(by_gain <> by_share) = 0 THEN 1
                WHEN EXISTS (SELECT 1 FROM most AS a JOIN most AS b ON a.gain_low > b.gain_high AND a.block_share < b.block_share) THEN 0 END,
           ''
    FROM (SELECT * FROM ranked ORDER BY by_share) HAVING count(*) = 3)
SELECT id, measured, bound, ok, 'stand-in programs; network: ' || name || CASE WHEN ok = 1 THEN '' ELSE cause END AS reason FROM judged, network;
