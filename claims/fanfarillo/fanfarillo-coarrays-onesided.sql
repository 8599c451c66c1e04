-- A put to an image that comes late (it computes for 0.2 ms), passive target, and between two fences that it must come
-- to; on one node, where loads and stores need no help of the target.
SELECT 'fanfarillo-c-092' AS id, median(value) AS value, median(low) AS low, median(high) AS high,
       printf('times the time of passive target, median of %d sizes', count(*)) AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_onesided' AND operation = 'late' AND a = 'active' AND b = 'passive' HAVING count(*) > 0
UNION ALL
-- A broadcast as a collective, and as a loop of puts on the source image, with as many images as have a core each.
SELECT 'fanfarillo-c-093', value, low, high,
       printf('times the time of the collective, %d images, %s', ranks, parameters)
FROM (SELECT *, max(ranks) OVER () AS most FROM coarrays_ratios
      WHERE experiment IN ('coarrays_onesided', 'coarrays_onesided_16') AND operation = 'broadcast' AND a = 'puts'
          AND b = 'collective' AND (experiment = 'coarrays_onesided'
                                    OR ranks <= (SELECT cores FROM experiments WHERE id = experiment)))
WHERE ranks = most;

-- A polling progress thread: what it costs on a spare core and on the core that computes, which stands for all cores.
SELECT iif(a = 'spare', 'fanfarillo-c-094', 'fanfarillo-c-095') AS id, value, low, high,
       iif(a = 'spare', 'times the time with it on the same core', 'of the throughput without a thread') AS words
FROM coarrays_ratios WHERE experiment = 'coarrays_polling' AND a IN ('spare', 'none') AND b = 'shared';
