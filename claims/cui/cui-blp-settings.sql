-- Streams and chunks of async.
SELECT 'cui-c-150' AS id, min(value) AS value, low, high,
       printf('times as fast as sync: async, streams: %d, chunks: %d', streams, chunks) AS words
FROM blp_cell WHERE experiment = 'blp_conv2d' HAVING count(*) > 0;

SELECT 'cui-c-151' AS id, avg(beside_low > 1) AS value, avg(beside_low > 1) AS low, avg(beside_high > 1) AS high,
       printf('of %d settings of async faster than blp', count(*)) AS words
FROM blp_cell WHERE experiment = 'blp_conv2d' HAVING count(*) > 0;

-- One stream: how much of sync's speed is lost, and each step to more chunks.
WITH one AS (
    SELECT *, value / lag(value) OVER more AS step, low / lag(high) OVER more AS step_low,
           high / lag(low) OVER more AS step_high, chunks = max(chunks) OVER (PARTITION BY experiment) AS is_most
    FROM blp_cell WHERE streams = 1 AND experiment IN ('blp_conv2d', 'blp_fdtd2d')
    WINDOW more AS (PARTITION BY experiment ORDER BY chunks))
SELECT iif(experiment = 'blp_conv2d', 'cui-c-152/lost', 'cui-c-176') AS id, 1 - value AS value, 1 - high AS low,
       1 - low AS high, printf('of the speed of sync lost with %d chunks', chunks) AS words
FROM one WHERE is_most
UNION ALL
SELECT 'cui-c-152/step', step, step_low, step_high, printf('times the speed with fewer chunks, %d', chunks)
FROM one WHERE experiment = 'blp_conv2d' AND step > 0
UNION ALL
SELECT 'cui-c-153/' || benchmark, 1 - value, 1 - high, 1 - low,
       printf('of the speed of sync lost with %d chunks', chunks)
FROM one WHERE chunks BETWEEN 30 AND 130
UNION ALL
SELECT 'cui-c-153', NULL, NULL, NULL, 'no 30 to 130 chunks were measured'
FROM one GROUP BY experiment HAVING NOT max(chunks BETWEEN 30 AND 130);

-- With several streams: the most chunks beside the best number. If they are the best, nothing decreases.
WITH cell AS (SELECT * FROM blp_cell WHERE experiment = 'blp_conv2d'),
best AS (SELECT streams, chunks, max(value) AS value, low, high FROM cell WHERE streams > 1 GROUP BY streams)
SELECT 'cui-c-154' AS id, c.value / b.value AS value, iif(c.chunks = b.chunks, 1, c.low / b.high) AS low,
       iif(c.chunks = b.chunks, 1, c.high / b.low) AS high,
       printf('times the speed with the best number of chunks, %d, %d streams', c.chunks, streams) AS words
FROM cell AS c JOIN best AS b USING (streams) WHERE c.chunks = (SELECT max(chunks) FROM cell);

SELECT 'cui-c-300/' || benchmark AS id, w.mid / f.mid AS value, w.low / f.high AS low, w.high / f.low AS high,
       'times as long with the worst setting of async' AS words
FROM (SELECT experiment, max(mid) AS mid, low, high FROM blp_run
      WHERE variant = 'async' AND experiment IN ('blp_conv2d', 'blp_conv3d', 'blp_fdtd2d', 'blp_atax')
      GROUP BY experiment) AS w
JOIN blp_fastest AS f USING (experiment) WHERE f.variant = 'async';
