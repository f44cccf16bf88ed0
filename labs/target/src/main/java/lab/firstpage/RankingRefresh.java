package lab.firstpage;

import lab.control.AdminDatabase;
import lab.firstpage.FirstPageSwitches.Query;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Keeps the view at most a minute stale, and costs nothing while no request reads it. */
@Component
class RankingRefresh {

    private final AdminDatabase database;
    private final FirstPageSwitches switches;

    RankingRefresh(AdminDatabase database, FirstPageSwitches switches) {
        this.database = database;
        this.switches = switches;
    }

    @Scheduled(fixedRate = 60_000, initialDelay = 60_000)
    void refresh() {
        if (switches.query.is(Query.MATVIEW)) {
            database.execute("refresh materialized view concurrently app_ranking");
        }
    }
}
