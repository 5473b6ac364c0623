package dev.poolkeeper.simulation.schedule;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.time.Chance;

/**
 * The seed's choices besides the steps; the same in both modes.
 *
 * @param size a factor for the numbers of load balancers, nodes and Services: 1 in a quarter of the seeds, 0.7 in
 *     another one, 0.5 in half of them
 * @param model the update model: diff in one seed of five
 * @param neighbour whether the resource group has a second cluster: in one seed of five
 * @param gates whether the daemons open the readiness gates of Pods: in one seed of three
 * @param policies whether the daemons use the retry policies of the cluster: in one seed of four
 * @param selection how the daemons know their load balancers: by their names in one seed of four, by a tag in another
 * @param limited whether the daemons limit their own rate of requests to ARM: in one seed of four
 * @param wary whether the daemons compare pools every 15 s and back off the first time that one was changed back: in
 *     one seed of three
 * @param capitals whether ARM spells the ids of resources in capitals, which mean the same: in one seed of four
 * @param crowded whether each Service has Pods on most of the nodes, which are more: in one seed of four
 * @param faultsAMinute how often something fails: 4.5 times a minute in half of the seeds, else three or nine times
 */
public record Setup(
        double size,
        UpdateModel model,
        boolean neighbour,
        boolean gates,
        boolean policies,
        Selection selection,
        boolean limited,
        boolean wary,
        boolean capitals,
        boolean crowded,
        double faultsAMinute) {

    private static final double LARGE = 1;
    private static final double MEDIUM = 0.7;
    private static final double SMALL = 0.5;
    private static final double USUAL = 4.5;
    private static final double CALM = 3;
    private static final double ROUGH = 9;

    /** How a cluster's load balancers are selected from those of the resource group. */
    public enum Selection {
        ALL,
        NAMED,
        TAGGED
    }

    /** The setup of this seed. */
    public static Setup of(long seed) {
        Chance chance = new Chance(seed).forked(103);
        return new Setup(
                new Chance(seed).forked(137).pick(LARGE, MEDIUM, SMALL, SMALL),
                chance.happens(0.2) ? UpdateModel.DIFF : UpdateModel.DESIRED_STATE,
                chance.happens(0.2),
                chance.happens(0.33),
                chance.happens(0.25),
                selection(seed, chance.happens(0.25)),
                chance.happens(0.25),
                chance.happens(0.33),
                new Chance(seed).forked(136).happens(0.25),
                new Chance(seed).forked(139).happens(0.25),
                new Chance(seed).forked(135).pick(USUAL, USUAL, CALM, ROUGH));
    }

    private static Selection selection(long seed, boolean named) {
        return named ? Selection.NAMED : new Chance(seed).forked(138).happens(0.33) ? Selection.TAGGED : Selection.ALL;
    }
}
