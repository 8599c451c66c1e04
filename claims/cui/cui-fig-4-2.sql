-- The listing of a 2D convolution, traced: whether every task and every copy of a result waited for what it needs. A row's data
-- are the rows before, at and behind it; the trace says when the wait ended and when the work did.
WITH trace AS (SELECT * FROM blp_timeline WHERE variant = 'blp' AND benchmark = 'conv2d'),
arrived AS (SELECT first, "end", max(end_s) AS at FROM trace WHERE role = 'copy-in' GROUP BY first, "end"),
done AS (SELECT first, "end", max(end_s) AS at FROM trace WHERE role = 'compute' GROUP BY first, "end"),
early AS (
    SELECT sum(t.role = 'compute' AND EXISTS (SELECT 1 FROM arrived AS a WHERE a.first < t."end" + 1 AND a."end" > t.first - 1 AND a.at > t.ready_s)) AS tasks,
           sum(t.role = 'copy-out' AND EXISTS (SELECT 1 FROM done AS d WHERE d.first < t."end" AND d."end" > t.first AND d.at > t.ready_s)) AS copies,
           sum(t.role = 'compute') AS all_tasks, count(DISTINCT iif(t.role = 'copy-in', block, NULL)) AS in_blocks,
           count(DISTINCT iif(t.role = 'copy-out', block, NULL)) AS out_blocks
    FROM trace AS t)
SELECT 'cui-c-313' AS id,
       printf('%d of %d tasks and %d copies out too early; %d blocks copy in, %d out', tasks, all_tasks, copies, in_blocks, out_blocks) AS measured,
       'none too early; 4 and 4 blocks' AS bound,
       CASE WHEN tasks + copies > 0 THEN 0 WHEN in_blocks = 4 AND out_blocks = 4 THEN 1 END AS ok,
       iif(in_blocks = 4 AND out_blocks = 4, '', 'the trace was not taken with four copy blocks per direction') AS reason
FROM early WHERE all_tasks > 0;
