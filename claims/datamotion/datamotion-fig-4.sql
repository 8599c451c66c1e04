-- The suite's own targets for prefetching: what an instruction costs, and how much shorter the wait gets.
WITH cost AS (
    SELECT kind, median(instruction_ns) AS mid, interval_low(instruction_ns) AS low, interval_high(instruction_ns) AS high
    FROM prefetch_interpreter WHERE status = 'pass' GROUP BY kind)
SELECT 'datamotion-c-009' AS id, group_concat(printf('%s %.0f ns', kind, mid), ', ') AS measured, '<= 1000 ns each' AS bound,
       CASE WHEN max(high) <= 1000 THEN 1 WHEN max(low) > 1000 THEN 0 END AS ok, '' AS reason
FROM cost HAVING count(*) > 0;

-- Per index length the best number of blocks to prefetch, against the wait without in the same experiment.
WITH wait AS (
    SELECT 'length' AS experiment, variant, network, index_length AS length, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM prefetch_wait_length_median WHERE iteration = 0 AND index_length >= 9
    UNION ALL
    SELECT 'blocks', variant, network, index_length, time_s, time_low_s, time_high_s
    FROM prefetch_wait_blocks_median WHERE iteration = 0 AND index_length >= 9),
ratio AS (
    SELECT length, count(*) AS settings, max(w.mid / p.mid) AS mid, max(w.low / p.high) AS low, max(w.high / p.low) AS high
    FROM wait AS p JOIN wait AS w USING (experiment, length) WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' GROUP BY length),
least AS (SELECT min(mid) AS mid, length, settings FROM ratio),
network AS (SELECT group_concat(DISTINCT network) AS name, min(network LIKE 'cluster%') AS is_link FROM wait)
SELECT 'datamotion-c-010' AS id,
       printf('%.2f to %.2f times shorter over index lengths %d to %d', min(ratio.mid), max(ratio.mid), min(ratio.length), max(ratio.length)) AS measured,
       '>= 3 at every length' AS bound,
       CASE WHEN NOT is_link THEN 'waived' WHEN min(low) >= 3 THEN 1 WHEN min(high) < 3 THEN 0 END AS ok,
       CASE WHEN is_link THEN printf('network: %s; least with length %d, where %d number%s of blocks %s measured', name, least.length, least.settings,
                                     iif(least.settings > 1, 's', ''), iif(least.settings > 1, 'were', 'was'))
            ELSE 'a target for the virtual cluster; this network is ' || name END AS reason
FROM ratio, least, network HAVING count(*) > 0;
